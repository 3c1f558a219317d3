interface FormCall {
  readonly error: Error | null;
  reset(): void;
}

/** For a form's `onChange`: what the server said of the values before is not said of the edited ones. */
export const clearOnEdit =
  ({ error, reset }: FormCall) =>
  (): void => {
    if (error !== null) reset();
  };
