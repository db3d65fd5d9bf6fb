import type { Config } from '#server/config.ts'

/** The addresses of `MAIL_TO` that hear of submissions; when empty, every superuser does. */
export const staffAddresses = ({ mail }: Pick<Config, 'mail'>): string[] =>
  mail.to
    ?.split(',')
    .map((to) => to.trim())
    .filter(Boolean) ?? []
