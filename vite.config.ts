import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

/** The landing page's own script needs these, but not the app. */
const BEFORE_APP =
  /rolldown\/runtime|preload-helper|web\/(app\/(start|content-policy)|lib\/(storage|native-menus|return-to))\.ts/;

export default defineConfig({
  plugins: [react(), mantineStyles(), withoutFontSwap()],
  // Bundled, so that the prerendered page has the styles as well.
  ssr: { noExternal: [/^@mantine/] },
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'landing.html'],
      output: {
        // One chunk for the libraries, one for the app with its layout, one for each page, and for what the same pages share.
        codeSplitting: {
          groups: [
            { name: 'start', test: BEFORE_APP, priority: 4 },
            {
              name: 'vendor',
              test: /node_modules\/(?!@mantine\/form|klona|fast-deep)/,
              minShareCount: 3,
              priority: 3,
            },
            { name: 'app', test: /web\/app\/start-app/, priority: 2 },
            {
              // With the library of the forms, which few pages have.
              ...{
                name: 'shared',
                test: /src|@mantine\/form|klona|fast-deep/,
                minShareCount: 2,
                priority: 1,
              },
              ...{ entriesAware: true, entriesAwareMergeThreshold: 4_500 },
            },
          ],
        },
      },
    },
    target: 'es2022',
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
});

/** Each of Mantine's components brings its style sheet, after those of the components that it is made of. */
function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    transform: {
      filter: { id: /@mantine\/(core|notifications)\/esm\/.*\.module\.mjs$/ },
      handler(code, id, options) {
        const name = /(\w+)\.module\.mjs$/.exec(id)?.[1] ?? '';
        // The prerendered landing page has no notices.
        if (options?.ssr === true && name.startsWith('Notification')) return null;
        const sheet = name === 'Notifications' ? 'notifications/styles.css' : `core/styles/${name}.css`;
        return { code: `import '@mantine/${sheet}';\n${code}`, map: null };
      },
    },
  };
}

/** The font's own style sheet would swap the font after the first paint and move the text. */
function withoutFontSwap(): Plugin {
  return {
    name: 'without-font-swap',
    generateBundle: {
      // A bundle with a single style sheet gets it only at the end.
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
          file.source = String(file.source).replaceAll('font-display:swap', 'font-display:optional');
        }
      },
    },
  };
}
