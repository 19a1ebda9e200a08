import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), withoutFontSwap()],
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: { input: ['index.html', 'landing.html'] },
    target: 'es2022',
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
});

/** The font's own sheet would exchange it under the eyes of whoever reads already, and move the words. */
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
