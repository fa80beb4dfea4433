// The page as five files of fixed names, which is all that the server serves (src/view/page_files.cpp).
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: '../build/page',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2000,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]', inlineDynamicImports: true },
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: 'worker.js' } } },
});
