// The element around each island, in place of Astro's own: what the islands of this site use of it, in a
// third of the bytes. No islands in islands, no props but plain data. Runs as an inline script.
{
  const plain = ([kind, value]) => (kind ? value.map(plain) : revived(value))
  const revived = (value) =>
    value && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
      : value
  const load = (path) =>
    import(path).catch(async () => {
      // As Astro's own element does: once more after a second, by a URL that the module map does not hold.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const again = new URL(path, location.href)
      again.searchParams.set('astro-retry', Date.now().toString())
      return import(again.href)
    })

  class Island extends HTMLElement {
    connectedCallback() {
      // Its children are all there when what follows it is, or when the document is at its end.
      if (document.readyState !== 'loading') this.start()
      else addEventListener('DOMContentLoaded', () => this.start(), { once: true })
    }

    start() {
      const how = this.getAttribute('client')
      if (!Astro[how]) {
        addEventListener(`astro:${how}`, () => this.start(), { once: true })
        return
      }
      const hydrate = async () => {
        const [component, { default: render }] = await Promise.all([
          load(this.getAttribute('component-url')),
          load(this.getAttribute('renderer-url')),
        ]).catch((error) => {
          console.error(error)
          return [{}, {}]
        })
        return async () => {
          if (!render) return
          const slots = {}
          for (const slot of this.querySelectorAll('astro-slot'))
            slots[slot.getAttribute('name') || 'default'] = slot.innerHTML
          const props = revived(JSON.parse(this.getAttribute('props')))
          await render(this)(component[this.getAttribute('component-export')], props, slots, {})
          this.removeAttribute('ssr')
        }
      }
      Astro[how](hydrate, JSON.parse(this.getAttribute('opts')), this)
    }
  }
  customElements.define('astro-island', Island)
}
