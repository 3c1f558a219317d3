import { useNavigate } from 'react-router';
import { ListOfAddress, ListPage } from '../../shared/lists/list-page.tsx';
import { useList } from './api/get-list.ts';
import { useListActions } from './components/use-list-actions.tsx';
import { gridPaging } from './grid-paging.ts';
import { ListEmails } from './list-detail/list-emails.tsx';
import { ListResults } from './list-detail/list-results.tsx';
import { useListEvents } from './realtime/use-list-events.ts';

export const ListDetailPage = () => <ListOfAddress page={ListDetail} />;

function ListDetail({ listId }: { listId: string }) {
  const navigate = useNavigate();
  return (
    <ListPage
      list={useList(listId)}
      liveProgress={useListEvents().get(listId)}
      actions={useListActions({ onDeleted: () => void navigate(gridPaging.gridPath('bulk')) })}
      back={{ to: gridPaging.gridPath('bulk'), label: 'Back to bulk verifications' }}
      progressLabel="Emails verified"
    >
      {(list) => (
        <>
          <ListResults list={list} />
          <ListEmails listId={listId} />
        </>
      )}
    </ListPage>
  );
}
