import buttons from '../components/button.module.css'
import { ProblemPage } from '../components/problem-page.tsx'
import { Link } from '../router/link.tsx'

/** A URL below /admin without a screen. */
export function NotFound() {
  return (
    <ProblemPage title="There is no such page">
      <p>Nothing in the administration has this address. It may have been mistyped, or moved.</p>
      <Link to="/admin/dashboard" className={buttons.solid}>
        Go to the dashboard
      </Link>
    </ProblemPage>
  )
}
