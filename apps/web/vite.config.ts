import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressBuild } from './compress-build.ts';
import { ownIdHook } from './own-id-hook.ts';
import { sizeBudget } from './size-budget.ts';
import { slimContract } from './slim-contract.ts';

// During development the page comes from here and everything else from the running product.
const apiOrigin = process.env.ASSAY_API_ORIGIN ?? 'http://localhost:3000';
const servedByApi = ['/api', '/config.json', '/version.json', '/docs', '/health'];

export default defineConfig({
  plugins: [react(), ownIdHook(), slimContract(), sizeBudget(), compressBuild()],
  build: {
    outDir: 'dist',
    // No source map is built: what is served is what is meant to be seen.
    sourcemap: false,
    reportCompressedSize: false,
    // Data addresses of fonts would need an exception in the content-security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      // Every browser that runs this code preloads modules by itself.
      polyfill: false,
      // Not for code that is loaded later: asking for dozens of files at once is a long task, and the browser finds them itself.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => file.endsWith('.css')),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What changes only with an upgrade keeps its name, and stays in browsers' caches, when our own code changes.
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      servedByApi.map((path) => [path, { target: apiOrigin, changeOrigin: false, ws: path === '/api' }]),
    ),
  },
});
