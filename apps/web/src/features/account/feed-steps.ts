import { FEED_USER, type FeedSender } from '@assay/contract';

interface SenderSteps {
  /** What to do at the sender, in its words. */
  readonly steps: readonly string[];
  /** What the sender calls the key that is given here; null if we make a secret. */
  readonly keyName: string | null;
}

const basicAuth = `Choose basic authentication with the user name ${FEED_USER} and the secret as the password.`;

/** What to paste where. */
export const feedSteps: Readonly<Record<FeedSender, SenderSteps>> = {
  sendgrid: {
    steps: [
      'Open Settings, Mail Settings, Event Webhooks, and create a webhook with this address as its Post URL.',
      'Choose Delivered, Deferred, Bounced, Dropped, Spam Reports, Unsubscribed and Group Unsubscribes.',
      'Turn on Signed Event Webhook, and give its verification key here.',
    ],
    keyName: 'Verification key',
  },
  mailgun: {
    steps: [
      'Open Sending, Webhooks, and add this address for Delivered Messages, Permanent Failure, Temporary Failure, Spam Complaints and Unsubscribes.',
      'Give the HTTP webhook signing key here. It is in the settings of the account.',
    ],
    keyName: 'HTTP webhook signing key',
  },
  postmark: {
    steps: [
      'Open your server and its message stream, Webhooks, and add a webhook with this address.',
      basicAuth,
      'Choose Delivery, Bounce, Spam complaint and Subscription change.',
    ],
    keyName: null,
  },
  ses: {
    steps: [
      'In SES, let a configuration set or an identity send bounces, complaints and deliveries to the SNS topic.',
      'In SNS, create a subscription of the topic with the protocol HTTPS. Its endpoint is this address with user name and secret in it, as it is shown with the secret.',
      'Leave raw message delivery off. We confirm the subscription within a minute.',
    ],
    keyName: null,
  },
  brevo: {
    steps: [
      'Open Transactional, Settings, Webhook, and add a webhook with this address.',
      basicAuth,
      'Choose Delivered, Deferred, Soft Bounced, Hard Bounced, Blocked, Invalid Email, Complaint and Unsubscribed.',
    ],
    keyName: null,
  },
  resend: {
    steps: [
      'Open Webhooks, and add this address as an endpoint.',
      'Choose email.delivered, email.delivery_delayed, email.bounced, email.complained, email.failed and contact.updated.',
      'Give its signing secret here.',
    ],
    keyName: 'Signing secret',
  },
  mandrill: {
    steps: [
      'Open Settings, Webhooks, and add a webhook that posts to this address. It must be exactly this one.',
      'Choose Sent, Delayed, Bounced, Soft-Bounced, Marked as Spam, Unsubscribes and Rejected.',
      'Give the key of the webhook here. The list of webhooks shows it.',
    ],
    keyName: 'Key of the webhook',
  },
  sparkpost: {
    steps: [
      'Open Configuration, Webhooks, and create a webhook with this address as its target.',
      basicAuth,
      'Choose Delivery, Bounce, Delay, Out of Band, Spam Complaint, Policy Rejection and the unsubscribe events.',
    ],
    keyName: null,
  },
};

/** The address with user name and secret in it, as SNS takes it. */
export function urlWithSecret(url: string, secret: string): string {
  const whole = new URL(url);
  whole.username = FEED_USER;
  whole.password = secret;
  return whole.href;
}
