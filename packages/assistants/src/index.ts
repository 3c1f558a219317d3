export { answerAssistant } from './http.ts';
