import type { APIRoute } from 'astro'
import worker from '#admin/account/notifications/push-worker.js?raw'

/** The admin's service worker, at an address that stays: browsers know a worker by its address. */
export const GET: APIRoute = () =>
  new Response(worker, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } })
