/** What an article can be filed under; the blog's filter offers them in this order. */
export const blogCategories = [
  'Web Development',
  'Design',
  'Student Tips',
  'Startup Growth',
] as const
