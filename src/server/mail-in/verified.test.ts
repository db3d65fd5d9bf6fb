import { expect, test } from 'vitest'
import { isVerified } from './verified.ts'

const from = 'Max@Mail.Example.co.uk'
const verified = (...values: string[]): boolean =>
  isVerified(
    values.map((value) => ({ key: 'authentication-results', value })),
    'mx.fledge.test',
    from,
  )

test('a sender is confirmed by DMARC, else by an aligned signature or SPF, of the named server', () => {
  for (const value of [
    'mx.fledge.test; dmarc=pass header.from=mail.example.co.uk',
    'MX.fledge.test 1; dmarc=PASS (p=none dis=none) header.from=Mail.example.co.uk; spf=fail',
    'mx.fledge.test; dkim=pass header.d=example.co.uk; spf=none',
    'mx.fledge.test; dkim = pass (good) header . i = @news.example.co.uk header.b="x;y"',
    'mx.fledge.test; dkim=fail header.d=mail.example.co.uk; spf=pass smtp.mailfrom=bounce@mail.example.co.uk',
    'mx.fledge.test; dmarc=none header.from=mail.example.co.uk; spf=pass smtp.mailfrom=mail.example.co.uk',
  ])
    expect(verified(value), value).toBe(true)
  for (const value of [
    '',
    'mx.fledge.test; none',
    'other.test; dmarc=pass header.from=mail.example.co.uk',
    'mx.fledge.test.other.test; dmarc=pass header.from=mail.example.co.uk',
    'mx.fledge.test; dmarc=pass header.from=other.test',
    'mx.fledge.test; dmarc=pass',
    'mx.fledge.test; dmarc=fail header.from=mail.example.co.uk; dkim=pass header.d=mail.example.co.uk',
    'mx.fledge.test; dkim=pass header.d=other.co.uk; spf=pass smtp.mailfrom=co.uk',
    'mx.fledge.test; spf=pass smtp.helo=mail.example.co.uk',
    'mx.fledge.test; spf=fail (; dmarc=pass header.from=mail.example.co.uk) smtp.mailfrom=x',
    'mx.fledge.test; spf=fail reason="; dmarc=pass header.from=mail.example.co.uk"',
    'mx.fledge.test; spf=fail (\\); dmarc=pass header.from=mail.example.co.uk',
  ])
    expect(verified(value), value).toBe(false)
  expect(verified()).toBe(false)
  // Of two answers the worse counts.
  expect(
    verified(
      'mx.fledge.test; dmarc=pass header.from=mail.example.co.uk',
      'mx.fledge.test; dmarc=fail header.from=mail.example.co.uk',
    ),
  ).toBe(false)
})
