import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { loadAppConfig } from '../shared/config/app-config.ts';
import { AppTheme } from '../shared/theme/app-theme.tsx';
import { createApp } from './create-app.tsx';
import { watchForOutdatedPage } from './outdated-page.ts';
import { StartFailed } from './start-failed.tsx';

async function start(): Promise<void> {
  watchForOutdatedPage();
  try {
    const App = createApp(await loadAppConfig(fetch));
    render(<App />);
  } catch (error) {
    console.error(error);
    render(<StartFailed />);
  }
}

function render(content: ReactNode): void {
  const place = document.getElementById('root');
  if (!place) throw new Error('index.html has no #root');
  const root = createRoot(place);
  // A transition renders in short tasks, so that the browser can respond in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <AppTheme>{content}</AppTheme>
      </StrictMode>,
    ),
  );
}

void start();
