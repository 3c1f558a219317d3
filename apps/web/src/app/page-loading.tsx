import { Loader } from '@mantine/core';
import { PageHeader } from '../shared/components/page-header.tsx';
import classes from './page-loading.module.css';

/** In place of the first page while its code loads. Seen only when that takes a while. */
export function PageLoading({ title }: { title?: string | undefined }) {
  return (
    <>
      {title ? <PageHeader title={title} /> : null}
      <div className={classes.root} aria-busy="true">
        <Loader size="sm" role="img" aria-label="Loading" />
      </div>
    </>
  );
}
