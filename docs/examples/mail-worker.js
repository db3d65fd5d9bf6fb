// A Cloudflare Email Worker that hands mail to the program: docs/deploy.md, "Mail in".
// INBOUND_URL: https://www.example.com/api/mail/inbound. INBOUND_SECRET: as the program has it.
export default {
  async email(message, env) {
    // The envelope is not part of what arrives: a mail server would write it into these headers.
    const envelope = `Return-Path: <${message.from}>\r\nX-Original-To: ${message.to}\r\n`
    const response = await fetch(env.INBOUND_URL, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${env.INBOUND_SECRET}`,
        'Content-Type': 'message/rfc822',
      },
      body: await new Blob([envelope, await new Response(message.raw).arrayBuffer()]).arrayBuffer(),
    })
    if (response.status === 400 || response.status === 413)
      return message.setReject('This mail could not be taken')
    // An error leaves the mail with the server that sent it, which tries again.
    if (!response.ok) throw new Error(`${response.status} from ${env.INBOUND_URL}`)
  },
}
