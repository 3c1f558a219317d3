import { useLocation, useNavigate } from 'react-router';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  return (
    <MessagePage
      icon="notFound"
      title="Content not Found"
      body="This content is no longer available. Head over to Home and check out what's new!"
      primaryLabel="Home"
    />
  );
}

export function ForbiddenPage() {
  return (
    <MessagePage
      icon="forbidden"
      title="Access not Allowed"
      body="Your account has no permission to open this content. Head over to Home to carry on."
      primaryLabel="Home"
    />
  );
}

// The router gives this key to the page that was loaded with its address: whatever the browser showed before is not a step
// of ours, and may be another site.
const FIRST_ENTRY_KEY = 'default';

export function InternalErrorPage() {
  const navigate = useNavigate();
  const { key } = useLocation();
  const reload = (destination: string) => (key === FIRST_ENTRY_KEY ? navigate(destination) : navigate(-1));
  return <SystemErrorMessage onReload={reload} />;
}

/** The same words for every failure of the system; the caller decides what Reload does. */
export function SystemErrorMessage({ onReload }: { onReload: (destination: string) => void }) {
  return (
    <MessagePage
      icon="systemError"
      title="Whoops!"
      body="There was a system error, please try again in a minute"
      primaryLabel="Reload"
      onPrimary={onReload}
    />
  );
}

export function GoodbyePage() {
  return (
    <MessagePage
      icon="goodbye"
      title="Goodbye!"
      body="Your account has been deleted and your session is closed. Thank you for having worked with us."
    />
  );
}
