-- What made the list FAILED, as its customer reads it. Null in lists of earlier versions, which have only the code.
alter table validation_lists add column problem_text text;
