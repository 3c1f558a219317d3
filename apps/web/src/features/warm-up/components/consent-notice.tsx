import { Icon } from '../../../shared/components/icon.tsx';
import classes from './consent-notice.module.css';

/** After Microsoft accounts were removed: it has no call with which we could withdraw the consent for its owner. */
export function ConsentNotice({ consentUrl }: { consentUrl: string | null }) {
  return (
    <div role="status" className={classes.place}>
      {consentUrl ? (
        <p className={classes.notice}>
          <span>
            We have erased our access. Microsoft still lists your consent until you withdraw it there.
          </span>
          <a href={consentUrl} target="_blank" rel="noreferrer">
            Withdraw consent at Microsoft
            <Icon name="external" size={16} />
          </a>
        </p>
      ) : null}
    </div>
  );
}
