import type { Choice, FormDescription } from './description.ts'
import { FormFields } from './form-fields.tsx'
import { Actions } from './form-states.tsx'

const byName = <Value,>(names: readonly string[], value: (name: string) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

interface Props {
  description: FormDescription
  choice?: Omit<Choice, 'value' | 'valueLabel'> | undefined
}

/**
 * A form whose every value and fault is a `{{token}}`: the template of the page that answers a form
 * posted without JavaScript. The server's error page knows the tokens.
 */
export const RefusedForm = ({ description, choice }: Props) => {
  const names = description.fields.map(({ name }) => name)
  return (
    <div className="sendable">
      {'{{summary}}'}
      <form action={description.route.path} method="post" aria-label={description.name}>
        <FormFields
          description={description}
          choice={
            choice && { ...choice, value: `{{value:${choice.name}}}`, valueLabel: '{{choice}}' }
          }
          values={byName(names, (name) => `{{value:${name}}}`)}
          errors={byName([...names, 'agree'], (name) => [`{{errors:${name}}}`])}
          bad={byName([...names, 'agree'], (name) => `{{bad:${name}}}` as 'true')}
        />
        <Actions description={description} />
      </form>
    </div>
  )
}
