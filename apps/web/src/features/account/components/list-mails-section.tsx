import type { User } from '@assay/contract';
import { Checkbox } from '@mantine/core';
import { Section } from '../../../shared/components/section.tsx';
import { useSetListMails } from '../api/set-list-mails.ts';

/** Nothing where no mail is sent. */
export function ListMailsSection({ user }: { user: User }) {
  const setListMails = useSetListMails();
  if (user.list_mails === undefined) return null;
  return (
    <Section title="Notifications">
      <Checkbox
        label="Email me when a list is complete"
        checked={setListMails.isPending ? setListMails.variables : user.list_mails}
        disabled={setListMails.isPending}
        onChange={({ currentTarget: { checked } }) => setListMails.mutate(checked)}
      />
    </Section>
  );
}
