/** The categories of articles, in the order of the blog's filter. */
export const blogCategories = [
  'Web Development',
  'Design',
  'Student Tips',
  'Startup Growth',
] as const
