import type { User } from '@assay/contract';
import { readablePhone } from '@assay/contract/phone';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../../shared/components/icon.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { Section } from '../../../shared/components/section.tsx';
import classes from './personal-info.module.css';

const EditProfileDialog = lateDialog(
  async () => (await import('./edit-profile-dialog.tsx')).EditProfileDialog,
);

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
        <dd>{user.phone ? readablePhone(user.phone) : 'Not given'}</dd>
      </dl>
      <EditProfileDialog isOpen={isEditing} user={user} onClose={() => setIsEditing(false)} />
    </Section>
  );
}
