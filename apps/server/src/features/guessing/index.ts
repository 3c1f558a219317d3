import './guessing.tables.ts';

export { settleGuessesOf } from './customer-removal.ts';
export { auditGuesses, type GuessDisagreement } from './guess-audit.store.ts';
export { countOldGuesses } from './guesses.store.ts';
export { guessingHandlers } from './guessing.handlers.ts';
export { registerGuessingRoutes } from './guessing.routes.ts';
export { guessesOf } from './lists/customer-data.ts';
export { peopleLists } from './lists/people-lists.ts';
export { deleteOldGuesses } from './old-guesses.ts';
