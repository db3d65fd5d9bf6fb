export function AccountScreen() {
  return <h1>AccountScreen</h1>
}
