import Prism from 'prismjs'
import 'prismjs/components/prism-bash.js'
import 'prismjs/components/prism-json.js'
import 'prismjs/components/prism-markdown.js'
import 'prismjs/components/prism-typescript.js'

/**
 * Code as HTML with classes for its words. Quotes are escaped, so that nothing in the code looks like an attribute of
 * the page, whose class names the build shortens.
 */
export const highlight = (code: string, language: string | undefined): string => {
  const grammar = language && Prism.languages[language]
  const html = grammar
    ? Prism.highlight(code, grammar, language)
    : code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return html.replace(/<[^>]*>|"/g, (part) => (part === '"' ? '&quot;' : part))
}
