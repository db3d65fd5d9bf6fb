import type { APIRoute } from 'astro'
import { brand } from '#site/content.ts'

export const GET: APIRoute = () =>
  Response.json({
    name: brand().name,
    short_name: brand().name,
    description: brand().description,
    start_url: '/',
    display: 'minimal-ui',
    background_color: '#f9f5ed',
    theme_color: '#0d131d',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icon-maskable.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  })
