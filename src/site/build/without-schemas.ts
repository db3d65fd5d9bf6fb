import { type Plugin, parseAst } from 'vite'
import * as schemas from 'zod/mini'

const MODULE = '\0without-schemas'

/** Calls that run a schema, as a function of the library and as a method. */
const RUN = /^(?:safe)?(?:parse|decode|encode)(?:Async)?$/i

/** Making a schema answers the same again; running one throws. */
export const source = `const run = () => {
  throw new Error('The browser has no schemas: the server checks what is sent and answered.')
}
const none = new Proxy(() => none, {
  get: (_, name) => (${RUN}.test(String(name)) ? run : none),
  apply: () => none,
})
export { ${Object.keys(schemas)
  .map((name) => `${RUN.test(name) ? 'run' : 'none'} as ${name}`)
  .join(', ')} }`

/** Parts of an endpoint that only the server and the reference documentation read. */
const serverSide = ['summary', 'query', 'body', 'output']

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

interface Edit {
  start: number
  end: number
  text: string
}

const isEndpointCall = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && isNode(callee) && callee.name === 'endpoint'

const withoutServerSide = (call: Node): Edit[] => {
  const [, definition] = call.arguments as Node[]
  return ((definition?.properties ?? []) as Node[])
    .filter(({ key }) => isNode(key) && serverSide.includes(String(key.name)))
    .map(({ value, start, end, shorthand }) => ({
      ...(isNode(value) && !shorthand ? value : { start, end }),
      text: shorthand ? '_: 0' : '0',
    }))
}

const isSchemaCall = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && isNode(callee) && isNode(callee.object) && callee.object.name === 'z'

/** Every call of the library answers the same, whatever it is given: its outermost calls lose what they are given. */
const withoutArguments = (node: Node): Edit[] => {
  if (isEndpointCall(node)) return withoutServerSide(node)
  if (isSchemaCall(node) && isNode(node.callee))
    return [{ start: node.callee.end, end: node.end, text: '()' }]
  return Object.values(node).flat().filter(isNode).flatMap(withoutArguments)
}

/** The contract makes values and does nothing else: what is made and not used can be left out. */
const asPure = (declaration: Node): Edit[] =>
  ((declaration.declarations ?? []) as Node[]).flatMap(({ init }) =>
    isNode(init) && init.type === 'CallExpression'
      ? [
          { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' },
          { start: init.end, end: init.end, text: ')()' },
        ]
      : [],
  )

export const lightened = (code: string): string => {
  const program = parseAst(code) as unknown as Node
  const edits = [
    ...withoutArguments(program),
    ...(program.body as Node[])
      .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
      .filter(({ type }) => type === 'VariableDeclaration')
      .flatMap(asPure),
  ]
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
}

/**
 * Leaves the contract's schemas and their library out of the browser's scripts. The server checks what
 * is sent and what it answers; of an endpoint the browser reads the method and the path.
 */
export const withoutSchemas = (): Plugin => ({
  name: 'without-schemas',
  apply: 'build',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: {
    order: 'pre',
    handler: (id) => (id === 'zod/mini' ? MODULE : undefined),
  },
  load: (id) => (id === MODULE ? source : undefined),
  transform: (code, id) =>
    /\/src\/contract\/[^?]+\.ts$/.test(id) ? { code: lightened(code), map: null } : undefined,
})
