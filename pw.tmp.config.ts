import { defineConfig } from '@playwright/test'
export default defineConfig({ testDir: 'tests/e2e', outputDir: '/tmp/adminfake/results', fullyParallel: true, workers: 2, timeout: 30000, expect: { timeout: 7000 }, reporter: [['list']], use: { baseURL: process.env.BASE ?? 'http://127.0.0.1:4451', launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] } } })
