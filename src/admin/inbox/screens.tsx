import { Inbox } from './inbox.tsx'
import { applicationsView } from './kinds/applications.ts'
import { consultationsView } from './kinds/consultations.ts'
import { contactsView } from './kinds/contacts.ts'

export const ConsultationsScreen = () => <Inbox view={consultationsView} />
export const ApplicationsScreen = () => <Inbox view={applicationsView} />
export const ContactsScreen = () => <Inbox view={contactsView} />
