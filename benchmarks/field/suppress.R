# sdcMicro's local suppression of a CSV file, all columns as key variables:
# Rscript suppress.R LIBRARY SOURCE OUTPUT COLUMN,COLUMN,... K; LIBRARY is the folder of R packages that has sdcMicro
arguments <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(sdcMicro, lib.loc = c(arguments[1], .libPaths())))
columns <- strsplit(arguments[4], ",")[[1]]
table <- read.csv(arguments[2], colClasses = "character")[, columns]
table[] <- lapply(table, factor)
suppressed <- localSuppression(table, keyVars = seq_along(columns), k = as.integer(arguments[5]))
write.csv(suppressed$xAnon, arguments[3], row.names = FALSE, na = "")
