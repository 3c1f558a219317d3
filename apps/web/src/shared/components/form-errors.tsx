import classes from './form-errors.module.css';
import { Icon } from './icon.tsx';

/** What the server said against a form, above its buttons. Announced when it appears; null shows nothing. */
export function FormErrors({ text }: { text: string | null }) {
  return (
    <div role="alert">
      {text === null ? null : (
        <p className={classes.text}>
          <Icon name="warning" size={18} />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
