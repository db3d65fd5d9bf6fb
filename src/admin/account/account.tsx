import { AccountPanels } from './account-panels.tsx'

export function AccountScreen() {
  return (
    <>
      <h1>Your account</h1>
      <AccountPanels />
    </>
  )
}
