import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const inApp = chunksOfApp();

export default defineConfig({
  plugins: [react(), withoutFontSwap(), inApp.plugin],
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: { input: ['index.html', 'landing.html'] },
    target: 'es2022',
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, dependencies, { hostId, hostType }) =>
        hostType === 'js' && inApp.loads(hostId)
          ? dependencies.filter((one) => one.endsWith('.css') || !inApp.has(one))
          : dependencies,
    },
    chunkSizeWarningLimit: 1000,
  },
});

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

/** Every chunk that the app loads lists what to preload for its own parts; the app's own chunks are there. */
function chunksOfApp() {
  const own = new Set<string>();
  const before = new Set<string>();
  const plugin: Plugin = {
    name: 'chunks-of-app',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const add = (found: Set<string>, name: string): void => {
          const file = bundle[name];
          if (file?.type !== 'chunk' || found.has(name)) return;
          found.add(name);
          file.imports.forEach((one) => add(found, one));
        };
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          if (file.facadeModuleId?.endsWith('/start-app.tsx') === true) add(own, file.fileName);
          if (file.isEntry) add(before, file.fileName);
        }
      },
    },
  };
  return {
    plugin,
    has: (file: string) => own.has(file),
    /** A chunk before the app loads the app itself. */
    loads: (file: string) => own.size > 0 && !before.has(file),
  };
}
