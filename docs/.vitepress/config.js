// The site of the documentation consists of the Markdown files of the repository and the
// reports of the studies. A README is the page of its folder. A link to any other file leads
// to a copy of it. A broken link is an error.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isPage = (file) => /^([^/]+|docs\/.+|results\/benchmarks\/.+)\.md$/.test(file)
const copied = new Set()

// within returns the path in the repository to which a link of a page leads.
function within(page, link) {
  const file = path.posix.join(path.posix.dirname(page), decodeURI(link))
  if (file.startsWith('..') || !fs.existsSync(path.join(root, file))) throw new Error(`${page}: no ${link}`)
  return file
}

// follow returns the target of a link in the site.
function follow(page, href) {
  const [link, fragment] = href.split('#', 2)
  if (!link || /^[a-z]+:/.test(link)) return href
  const anchor = fragment ? '#' + fragment : ''
  const file = within(page, link)
  if (isPage(file)) return '/' + file.replace(/README\.md$/, '') + anchor
  if (fs.statSync(path.join(root, file)).isFile()) {
    copied.add(file)
    return '/' + file
  }
  for (const name of ['README.md', 'report.html']) {
    const inside = path.posix.join(file, name)
    if (fs.existsSync(path.join(root, inside))) return follow('README.md', inside)
  }
  throw new Error(`${page}: ${link} has no page; draw its report with: go run . report ${file}`)
}

function links(md) {
  md.core.ruler.push('links', (state) => {
    for (const token of state.tokens.flatMap((t) => t.children ?? [])) {
      if (token.type !== 'link_open') continue
      const href = follow(state.env.relativePath, token.attrGet('href'))
      token.attrSet('href', href)
      if (copied.has(href.slice(1))) token.attrSet('target', '_self') // no page of the generator's
    }
  })
}

// Vue must not interpret braces in code.
function code(md) {
  md.core.ruler.push('code', (state) => {
    for (const token of state.tokens.flatMap((t) => t.children ?? [])) if (token.type === 'code_inline') token.attrSet('v-pre', '')
  })
}

// Copies a report with the figures that it links to.
function copy(out) {
  for (const file of copied) {
    const from = path.join(root, file)
    fs.cpSync(from, path.join(out, file))
    const figures = path.join(path.dirname(file), 'figures')
    if (file.endsWith('report.html') && fs.existsSync(path.join(root, figures))) fs.cpSync(path.join(root, figures), path.join(out, figures), { recursive: true })
  }
}

// contents returns the lists of docs/README.md, each with its bold heading.
function contents() {
  const text = fs.readFileSync(path.join(root, 'docs/README.md'), 'utf8')
  return [...text.matchAll(/^\*\*(.+)\*\*\n\n((?:(?:\d+\.|-| ) .*\n)+)/gm)].map(([, heading, list]) => ({
    text: heading,
    items: [...list.matchAll(/^(?:\d+\.|-) \[(.+?)\]\((.+?)\)/gm)].map(([, text, link]) => ({
      text: text.replace(/^The /, '').replace(/^\w/, (c) => c.toUpperCase()),
      link: follow('docs/README.md', link),
    })),
  }))
}

export default {
  title: 'copse',
  description: 'Reproducible simulation studies that compare classifiers',
  srcDir: '..',
  srcExclude: ['!(docs|results)/**/*.md', 'results/!(benchmarks)/**/*.md'],
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  outDir: '.vitepress/dist',
  ignoreDeadLinks: [(link) => ['', '.html'].some((end) => copied.has(link.slice(1) + end))],
  markdown: { config: (md) => md.use(links).use(code), theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  head: [['link', { rel: 'icon', href: 'data:,' }], ['style', {}, ':root:root { --vp-code-lang-color: var(--vp-c-text-2); }']],
  // Pages above this folder use this Vue build for bundlers, because the build for Node does not run in browsers.
  vite: { resolve: { alias: Object.entries({
    'vue': 'vue/dist/vue.runtime.esm-bundler.js',
    'vue/server-renderer': '@vue/server-renderer/dist/server-renderer.esm-bundler.js',
  }).map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: fileURLToPath(import.meta.resolve(file)) })) } },
  buildEnd: ({ outDir }) => copy(outDir),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/docs/guide/first-study' },
      { text: 'Keys of a study', link: '/docs/reference/study' },
      { text: 'Methods', link: '/docs/methods/' },
      { text: 'What reproduces', link: '/docs/reproduction' },
    ],
    sidebar: contents(),
    outline: 'deep',
    search: { provider: 'local' },
  },
}
