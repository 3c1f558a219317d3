import type { User } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../../shared/components/icon.tsx';
import { lateComponent, lateDialog } from '../../../shared/components/late-parts.tsx';
import { Section } from '../../../shared/components/section.tsx';
import classes from './personal-info.module.css';

const EditProfileDialog = lateDialog(
  async () => (await import('./edit-profile-dialog.tsx')).EditProfileDialog,
);

// The tables of numbering plans are large. Without them the number is shown as it is stored.
const ReadablePhone = lateComponent<{ phone: string }>(async () => {
  const { readablePhone } = await import('@assay/contract/phone').catch(() => ({
    readablePhone: (phone: string) => phone,
  }));
  return ({ phone }) => readablePhone(phone);
});

export function PersonalInfo({ user }: { user: User }) {
  const [isEditing, setIsEditing] = useState(false);
  const name = `${user.first_name} ${user.last_name}`.trim();
  return (
    <Section
      title="Personal Info"
      action={
        <Button
          variant="default"
          leftSection={<Icon name="rename" size={16} />}
          aria-label="Edit personal info"
          onClick={() => setIsEditing(true)}
        >
          Edit
        </Button>
      }
    >
      <dl className={classes.rows}>
        <dt>Name</dt>
        <dd>{name || 'Not given'}</dd>
        <dt>Email</dt>
        <dd>{user.email_address}</dd>
        <dt>Phone</dt>
        <dd>{user.phone ? <ReadablePhone phone={user.phone} /> : 'Not given'}</dd>
      </dl>
      <EditProfileDialog isOpen={isEditing} user={user} onClose={() => setIsEditing(false)} />
    </Section>
  );
}
