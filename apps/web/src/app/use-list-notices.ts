import { useNavigate } from 'react-router';
import { desktopNotices } from '../shared/notices/desktop-notices.ts';
import { useRealtimeEvent } from '../shared/realtime/use-realtime-event.ts';
import { useServices } from '../shared/services/services-context.tsx';

/** Shows a desktop notification when a list is complete, on any page, if the customer turned that on. */
export function useListNotices(): void {
  const { api } = useServices();
  const navigate = useNavigate();
  const tell = async (path: string, readName: () => Promise<{ readonly name: string }>) => {
    if (!desktopNotices.isOn()) return;
    const { name } = await readName();
    const notice = new Notification('Your list is complete', { body: name, tag: path, icon: '/favicon.svg' });
    notice.onclick = () => {
      window.focus();
      void navigate(path);
      notice.close();
    };
  };
  useRealtimeEvent('list_complete', ({ list_id }) => {
    if (list_id === undefined) return;
    const read = () => api.validations.getList({ params: { list_id } });
    // A list that was deleted meanwhile needs no notification.
    tell(`/email-verification/bulk/${list_id}`, read).catch(() => undefined);
  });
  useRealtimeEvent('guess_list_complete', ({ list_id }) => {
    if (list_id === undefined) return;
    const read = () => api.guessing.getList({ params: { list_id } });
    tell(`/email-guessing/${list_id}`, read).catch(() => undefined);
  });
}
