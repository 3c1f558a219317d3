import type { OperatorError } from '@assay/contract/operator';
import { Link } from 'react-router';
import { formatDateTime } from '../../../shared/format/dates.ts';
import classes from '../operator.module.css';

/** Errors that open into their stack, with links to what they are about. */
export function ErrorList({ errors }: { errors: readonly OperatorError[] }) {
  return (
    <ul className={classes.errors}>
      {errors.map(({ id, date, source, type, message, stack, trace_id, job_id, customer_id }) => (
        <li key={id} className={classes.error}>
          <p className={classes.note}>
            {formatDateTime(date)} · {source}
          </p>
          <details>
            <summary className={classes.message}>
              {type}: {message || 'no message'}
            </summary>
            {stack ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys
              <pre className={classes.stackTrace} tabIndex={0}>
                {stack}
              </pre>
            ) : null}
          </details>
          <p className={classes.note}>
            {trace_id ? (
              <>
                Trace{' '}
                <Link to={`/operator/search?text=${trace_id}`} className={classes.link}>
                  {trace_id}
                </Link>{' '}
              </>
            ) : null}
            {job_id ? (
              <>
                Job{' '}
                <Link to={`/operator/search?text=${job_id}`} className={classes.link}>
                  {job_id}
                </Link>{' '}
              </>
            ) : null}
            {customer_id ? (
              <Link to={`/operator/customers/${customer_id}`} className={classes.link}>
                Customer
              </Link>
            ) : null}
          </p>
        </li>
      ))}
    </ul>
  );
}
