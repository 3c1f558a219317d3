import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Icon } from '../../../shared/components/icon.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import signOnly from '../../../shared/components/sign-only.module.css';
import type { ShareProps } from './share-dialog.tsx';

const ShareDialog = lateDialog(async () => (await import('./share-dialog.tsx')).ShareDialog);

export function ShareDownload(props: ShareProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        className={signOnly.button}
        variant="subtle"
        leftSection={<Icon name="link" size={18} />}
        onClick={open}
      >
        <span className={signOnly.words}>Share a link</span>
      </Button>
      <ShareDialog isOpen={isOpen} onClose={close} {...props} />
    </>
  );
}
