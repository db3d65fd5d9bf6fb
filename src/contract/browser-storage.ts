/**
 * Everything that the pages keep in the browser. The privacy page prints this list, a sign-out
 * removes what is marked so, and a browser test compares it with the real storage. There are no
 * cookies.
 */

export interface StoredItem {
  area: 'local' | 'session'
  /** The key; one that ends with a colon begins the keys of several items. */
  key: string
  holder: 'visitor' | 'staff'
  what: string
  purpose: string
  until: string
  /** The time at which it leaves the browser; absent: never. */
  sent?: string
  /** Signing out removes it, in every tab. */
  endsWithSignOut?: true
}

export const browserStorage: readonly StoredItem[] = [
  {
    area: 'local',
    key: 'theme',
    holder: 'visitor',
    what: 'The light or dark appearance, once you have chosen one',
    purpose: 'to show every page the same way',
    until: 'you clear it in your browser',
  },
  {
    area: 'session',
    key: 'source',
    holder: 'visitor',
    what: 'The page you arrived on, the page that led you here and campaign tags in the link',
    purpose: 'to tell which of our own efforts bring people here',
    until: 'you close the tab',
    sent: 'with a form that you send, and when you begin one, to be counted',
  },
  {
    area: 'session',
    key: 'draft:',
    holder: 'visitor',
    what: 'A form that you have begun',
    purpose: 'so that a reload does not cost you your text',
    until: 'you send or clear it, or close the tab; after 4 hours it is not filled in again',
    sent: 'when you send the form',
  },
  {
    area: 'local',
    key: 'token',
    holder: 'staff',
    what: 'The sign-in token',
    purpose: 'to stay signed in',
    until: 'you sign out',
    sent: 'with each request of the administration',
    endsWithSignOut: true,
  },
  {
    area: 'local',
    key: 'adminAuthenticated',
    holder: 'staff',
    what: 'That somebody is signed in',
    purpose: 'to stay signed in',
    until: 'you sign out',
    endsWithSignOut: true,
  },
  {
    area: 'local',
    key: 'currentUser',
    holder: 'staff',
    what: 'Your own name, e-mail address and role',
    purpose: 'to stay signed in',
    until: 'you sign out',
    endsWithSignOut: true,
  },
  {
    area: 'local',
    key: 'device',
    holder: 'staff',
    what: 'A random number for this browser',
    purpose:
      'to know this browser again, so that wrong passwords sent from elsewhere do not lock you out',
    until: 'you clear it in your browser',
    sent: 'when you sign in',
  },
  {
    area: 'local',
    key: 'shortcuts',
    holder: 'staff',
    what: 'Whether keyboard shortcuts are on',
    purpose: 'to leave them as you set them',
    until: 'you clear it in your browser',
  },
  {
    area: 'session',
    key: 'note:',
    holder: 'staff',
    what: 'A note that you have begun',
    purpose: 'so that a reload does not cost you your text',
    until: 'you save or discard it, sign out, or close the tab',
    sent: 'when you save the note',
    endsWithSignOut: true,
  },
  {
    area: 'session',
    key: 'reply:',
    holder: 'staff',
    what: 'An answer to a sender that you have begun, until the server holds it as a draft, and the agents’ drafts that you have used in it',
    purpose: 'so that a lost connection does not cost you your text',
    until: 'the server holds it or you send it, you sign out, or close the tab',
    sent: 'while you write',
    endsWithSignOut: true,
  },
  {
    area: 'session',
    key: 'form:',
    holder: 'staff',
    what: 'Times that you have picked to offer, changes of your hours, and texts of the site until they are stored',
    purpose: 'so that a reload or another screen does not cost you your changes',
    until: 'you send, save or discard them, sign out, or close the tab',
    sent: 'when you send or save them',
    endsWithSignOut: true,
  },
  {
    area: 'session',
    key: 'offer:',
    holder: 'staff',
    what: 'An offer that you have begun or changed, until it is saved, and the message that goes with it',
    purpose: 'so that leaving the page does not cost you your text',
    until: 'you save, send or discard it, sign out, or close the tab',
    sent: 'when you save or send the offer',
    endsWithSignOut: true,
  },
  {
    area: 'session',
    key: 'run:',
    holder: 'staff',
    what: 'The numbers of the records of your last run, and what you did with each',
    purpose: 'so that a run which you leave goes on where it was',
    until: 'you sign out, or close the tab',
    endsWithSignOut: true,
  },
  {
    area: 'local',
    key: 'lapsed',
    holder: 'staff',
    what: 'That your session has ended by itself',
    purpose: 'to keep what you have begun until you sign in again',
    until: 'you sign in',
    endsWithSignOut: true,
  },
  {
    area: 'session',
    key: 'lists',
    holder: 'staff',
    what: 'How you have set the lists',
    purpose: 'to leave them as you set them',
    until: 'you close the tab',
  },
]
