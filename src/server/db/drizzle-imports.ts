import { registerHooks } from 'node:module'

/**
 * Loaded before the program by `node --import`, to start sooner. For the format of a file Node 24 parses the
 * `package.json` of its package, anew for each (`getFileProtocolModuleFormat`): 180 kB for each of
 * Drizzle's 107 files, a quarter of a start. These files name each other as ES modules.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    /^\..*\.js$/.test(specifier) && context.parentURL?.match(/\/node_modules\/drizzle-orm\/.*\.js$/)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
