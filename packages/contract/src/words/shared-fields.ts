export type FieldWords = Readonly<Record<string, string>>;

/** Fields that mean the same wherever they occur. */
export const COMMON_FIELD_WORDS: FieldWords = {
  creation_date: 'When it was created.',
  download_link: 'The URL of the file; it works for an hour and needs no credentials.',
  results: 'The entries of this page.',
  sandbox: '`true` for work of the sandbox; absent otherwise.',
  total: 'How many entries there are on all pages together.',
};

export const suppressionCounts: FieldWords = {
  added: 'How many entries are new.',
  changed: 'How many existed with another end.',
  unchanged: 'How many existed as they are.',
};
