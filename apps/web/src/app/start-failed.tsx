import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { MessagePage } from '../features/messages/message-page.tsx';

/** The app could not learn where it runs, so nothing of it works: the error page alone. */
const router = createMemoryRouter([{ path: '*', Component: StartFailedPage }]);

export const StartFailed = () => <RouterProvider router={router} />;

function StartFailedPage() {
  return (
    <MessagePage
      icon="systemError"
      title="Whoops!"
      body="There was a system error, please try again in a minute"
      primaryLabel="Reload"
      onPrimary={() => location.reload()}
    />
  );
}
