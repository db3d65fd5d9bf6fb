/** Components of `src/components/legal` that print what the code knows; in a text each is a paragraph such as `{contact}`. */
export const parts = [
  { name: 'contact', tag: '<ContactLine />', component: 'ContactLine', file: 'contact-line' },
  { name: 'fields', tag: '<FieldList />', component: 'FieldList', file: 'field-list' },
  { name: 'retention', tag: '<Retention />', component: 'Retention', file: 'retention' },
  {
    name: 'storedByStaff',
    tag: '<StoredItems holder="staff" />',
    component: 'StoredItems',
    file: 'stored-items',
  },
  {
    name: 'storedByVisitors',
    tag: '<StoredItems holder="visitor" />',
    component: 'StoredItems',
    file: 'stored-items',
  },
] as const

/** Facts that stand in a text as `{email}`, in MDX as `{props.email}`. */
export const factNames = ['email', 'minimumAge', 'visits', 'visitsWithout'] as const

/** The order of marks in a document, the outermost first. */
export const markOrder = ['link', 'sample', 'bold', 'italic', 'code'] as const
