/**
 * The route to go back to after signing in: only inside the admin, on this very origin. Anything
 * else (another host, a scheme, the login itself) becomes the dashboard.
 */
export const returnRoute = (from: string | undefined, origin: string): string => {
  const home = '/admin/dashboard'
  if (!from || !URL.canParse(from, origin)) return home
  const url = new URL(from, origin)
  const inside = url.pathname === '/admin' || url.pathname.startsWith('/admin/')
  const usable = url.origin === origin && inside && url.pathname !== '/admin/login'
  return usable ? `${url.pathname}${url.search}` : home
}
