import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressBuild } from './compress-build.ts';
import { fewFiles } from './few-files.ts';
import { ownIdHook } from './own-id-hook.ts';
import { sizeBudget } from './size-budget.ts';
import { slimContract } from './slim-contract.ts';

// During development the page comes from here and everything else from the running product.
const apiOrigin = process.env.ASSAY_API_ORIGIN ?? 'http://localhost:3000';
const servedByApi = ['/api', '/config.json', '/version.json', '/docs', '/health'];

/** What changes the code itself. */
const sourcePlugins = () => [react(), ownIdHook(), slimContract()];

export default defineConfig({
  plugins: [...sourcePlugins(), fewFiles(sourcePlugins), sizeBudget(), compressBuild()],
  build: {
    outDir: 'dist',
    // No source map is built: what is served is what is meant to be seen.
    sourcemap: false,
    reportCompressedSize: false,
    // Data addresses of fonts would need an exception in the content-security policy.
    assetsInlineLimit: 0,
    // Every browser that runs this code preloads modules by itself.
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      servedByApi.map((path) => [path, { target: apiOrigin, changeOrigin: false, ws: path === '/api' }]),
    ),
  },
});
