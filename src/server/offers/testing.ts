/** An offer without terms, valid for a year from today. */
export const newOffer = {
  title: 'A website with ten pages',
  text: 'We build it in four weeks.\n\nYou get the source.',
  lines: [
    { label: 'Website', amount: 150_000, per: 'once' },
    { label: 'Texts', amount: 25_050, per: 'once' },
    { label: 'Care', amount: 4_000, per: 'month' },
  ],
  currency: 'USD',
  validUntil: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
  terms: 'Half at the start, half at the end.',
}
