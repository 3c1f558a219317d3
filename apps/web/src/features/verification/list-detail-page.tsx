import { useNavigate } from 'react-router';
import { DrawnLater } from '../../shared/components/drawn-later.tsx';
import { emailsText } from '../../shared/format/count-words.ts';
import { ListSkeleton } from '../../shared/list-summary/list-skeleton.tsx';
import { ListOfAddress, ListPage } from '../../shared/lists/list-page.tsx';
import { useDeletedElsewhere } from '../../shared/lists/use-deleted-elsewhere.ts';
import { useKnownName } from '../../shared/lists/use-known-name.ts';
import { useEmailSummary } from './api/get-email-summary.ts';
import { useList } from './api/get-list.ts';
import { validationListKeys } from './api/keys.ts';
import { useListActions } from './components/use-list-actions.tsx';
import { gridPaging } from './grid-paging.ts';
import { ListEmails } from './list-detail/list-emails.tsx';
import { listAtMoment } from './list-detail/list-moment.ts';
import { ListResults } from './list-detail/list-results.tsx';
import { useListEvents } from './realtime/use-list-events.ts';

export const ListDetailPage = () => (
  <ListOfAddress page={ListDetail} gridPath={gridPaging.gridPath('bulk')} />
);

function ListDetail({ listId }: { listId: string }) {
  const navigate = useNavigate();
  const list = useList(listId);
  // Replaces the deleted list's page in the history, so that 'Back' does not lead there.
  const leave = () => void navigate(gridPaging.gridPath('bulk'), { replace: true });
  const live = useListEvents();
  const summary = useEmailSummary(listId).data;
  useDeletedElsewhere(listId, list.data, leave);
  return (
    <ListPage
      list={list}
      knownName={useKnownName(validationListKeys, listId)}
      live={(loaded) => listAtMoment(live(loaded), summary)}
      actions={useListActions({ onDeleted: leave })}
      back={{ to: gridPaging.gridPath('bulk'), label: 'Back to bulk verifications' }}
      progressLabel="Emails verified"
      rowsText={emailsText}
      skeleton={
        <>
          <ListSkeleton hasSafeDownload />
          <DrawnLater>
            <ListEmails list={undefined} summary={undefined} />
          </DrawnLater>
        </>
      }
    >
      {(list) => (
        <>
          <ListResults list={list} />
          <ListEmails list={list} summary={summary} />
        </>
      )}
    </ListPage>
  );
}
