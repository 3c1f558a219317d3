import { Button } from '@mantine/core';
import { useNavigate, useSearchParams } from 'react-router';
import { PlainPage } from '../../shared/components/plain-page.tsx';
import { Illustration, type IllustrationName } from '../../shared/illustrations/illustration.tsx';
import { safeSourceUrl } from '../../shared/navigation/source-url.ts';
import classes from './message-page.module.css';

const DEFAULT_ROUTE = '/';

interface MessagePageProps {
  icon?: IllustrationName;
  title: string;
  body: string;
  primaryLabel?: string;
  /** Replaces the way to `source_url` or the default route. */
  onPrimary?: (destination: string) => void;
  secondary?: { readonly label: string; readonly onClick: () => void };
}

/** A full page that says one thing and offers the way on. */
export function MessagePage({
  icon,
  title,
  body,
  primaryLabel = 'Go to Home',
  onPrimary,
  secondary,
}: MessagePageProps) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const destination = safeSourceUrl(query.get('source_url')) ?? DEFAULT_ROUTE;
  return (
    <PlainPage title={title}>
      <div className={classes.message}>
        {icon ? <Illustration name={icon} /> : null}
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.body}>{body}</p>
        <div className={classes.buttons}>
          <Button size="md" onClick={() => (onPrimary ?? navigate)(destination)}>
            {primaryLabel}
          </Button>
          {secondary ? (
            <Button size="md" variant="default" onClick={secondary.onClick}>
              {secondary.label}
            </Button>
          ) : null}
        </div>
      </div>
    </PlainPage>
  );
}
