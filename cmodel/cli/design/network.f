@ORIGIN@+incdir+rtl/include
@LIST_FILES@