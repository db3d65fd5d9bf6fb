import { applicationsView } from './applications.ts'
import { consultationsView } from './consultations.ts'
import { contactsView } from './contacts.ts'
import { Inbox } from './inbox.tsx'

export const ConsultationsScreen = () => <Inbox view={consultationsView} />
export const ApplicationsScreen = () => <Inbox view={applicationsView} />
export const ContactsScreen = () => <Inbox view={contactsView} />
