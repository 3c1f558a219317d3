/**
 * Forward-only steps, applied in order, each once. A step that has been released is never edited: what
 * changes later is a new step at the end.
 */
export const schemaSteps: readonly string[] = [
  `
  CREATE TABLE identity.accounts (
    id                   uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
    email                text        NOT NULL,
    email_key            text        NOT NULL UNIQUE,
    email_proved         boolean     NOT NULL,
    first_name           text        NOT NULL,
    last_name            text        NOT NULL,
    phone                text,
    identity             text        NOT NULL CHECK (identity IN ('email', 'google')),
    password_hash        text,
    must_change_password boolean     NOT NULL DEFAULT false,
    created_at           timestamptz NOT NULL,
    CHECK ((identity = 'email') = (password_hash IS NOT NULL))
  );

  -- What oidc-provider remembers: sessions, grants, codes, refresh tokens, interactions. The id is a hash,
  -- so that who reads the table holds no usable token.
  CREATE TABLE identity.records (
    model       text        NOT NULL,
    id_hash     text        NOT NULL,
    payload     jsonb       NOT NULL,
    uid         text,
    grant_id    text,
    account_id  text,
    consumed_at timestamptz,
    expires_at  timestamptz,
    PRIMARY KEY (model, id_hash)
  );
  CREATE INDEX records_uid ON identity.records (uid) WHERE uid IS NOT NULL;
  CREATE INDEX records_grant ON identity.records (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX records_account ON identity.records (account_id) WHERE account_id IS NOT NULL;
  CREATE INDEX records_expiry ON identity.records (expires_at);

  CREATE TABLE identity.signing_keys (
    kid        text        PRIMARY KEY,
    jwk        jsonb       NOT NULL,
    created_at timestamptz NOT NULL
  );

  CREATE TABLE identity.secrets (
    name  text  PRIMARY KEY,
    value bytea NOT NULL
  );

  -- One row per limited thing (an account, a network address), its recent attempts inside.
  CREATE TABLE identity.attempts (
    bucket     text          PRIMARY KEY,
    hits       timestamptz[] NOT NULL,
    admitted   boolean       NOT NULL,
    expires_at timestamptz   NOT NULL
  );
  CREATE INDEX attempts_expiry ON identity.attempts (expires_at);

  -- What an interaction still waits for after its first page: an emailed code or a new password.
  CREATE TABLE identity.pending_steps (
    interaction_uid text        PRIMARY KEY,
    step            jsonb       NOT NULL,
    code_hash       text,
    attempts_left   integer     NOT NULL,
    expires_at      timestamptz NOT NULL
  );
  CREATE INDEX pending_steps_expiry ON identity.pending_steps (expires_at);
  `,
  `
  -- When a new password was last chosen on a page of ours, which ended all other sessions.
  ALTER TABLE identity.accounts ADD COLUMN sessions_valid_from timestamptz;
  `,
  `
  -- The second step after a password: an authenticator app, passkeys, and codes for when both are lost.
  CREATE TABLE identity.authenticators (
    account_id    uuid        PRIMARY KEY REFERENCES identity.accounts ON DELETE CASCADE,
    sealed_secret bytea       NOT NULL,
    -- The time step of the last code that was used: each works once.
    last_step     bigint      NOT NULL,
    created_at    timestamptz NOT NULL
  );

  CREATE TABLE identity.passkeys (
    id           text        PRIMARY KEY,
    account_id   uuid        NOT NULL REFERENCES identity.accounts ON DELETE CASCADE,
    name         text        NOT NULL,
    public_key   bytea       NOT NULL,
    counter      bigint      NOT NULL,
    transports   text[]      NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz
  );
  CREATE INDEX passkeys_account ON identity.passkeys (account_id);

  CREATE TABLE identity.recovery_codes (
    account_id uuid NOT NULL REFERENCES identity.accounts ON DELETE CASCADE,
    code_hash  text NOT NULL,
    PRIMARY KEY (account_id, code_hash)
  );

  -- Of sessions: the program and the network that used it last, and when.
  ALTER TABLE identity.records ADD COLUMN used_by text, ADD COLUMN used_from text, ADD COLUMN used_at timestamptz;
  `,
];
