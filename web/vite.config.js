import { defineConfig } from 'vite';

// Names without hashes and nothing that depends on where or when it is built: the same sources give the same bytes, which
// `cargo xtask test` checks.
export default defineConfig({
  base: './',
  build: {
    outDir: process.env.LIGAMENT_PAGE ?? '../crates/ligament-studio/page',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        entryFileNames: 'studio.js',
        assetFileNames: 'studio[extname]',
        inlineDynamicImports: true,
      },
    },
  },
});
